import openfl.display.BitmapData;

/** A picture of 32 by 32 pixels, such as a machine with such a tube had. */
class Invader {
    public static inline final SIZE:Int = 32;

    static final ROWS:Array<String> = [
        "................................",
        ".ww..w..w.w......www.www.www....",
        ".w...w..w.w......w.w.w.w.w.w....",
        ".ww..w..w.w......w.w.w.w.w.w....",
        ".w...w..w.w......w.w.w.w.w.w....",
        ".w...ww..w.......www.www.www....",
        "................................",
        "................................",
        "..g.....g..............m.....m..",
        "...g...g....y..y..y.....m...m...",
        "..ggggggg..............mmmmmmm..",
        ".gg.ggg.gg...y..y..y..mm.mmm.mm.",
        "ggggggggggg..........mmmmmmmmmmm",
        "g.ggggggg.g..........m.mmmmmmm.m",
        "g.g.....g.g..........m.m.....m.m",
        "...gg.gg................mm.mm...",
        "................................",
        "................r...............",
        "................r...............",
        "................................",
        "..............r.................",
        "....c.........r........c........",
        "................................",
        "................................",
        "....bbbb.....bbbb.......bbbb....",
        "...bbbbbb...bbbbbb.....bbbbbb...",
        "...bb..bb...bb..bb.....bb..bb...",
        "................................",
        "...............c................",
        ".............ccccc..............",
        ".............ccccc..............",
        "................................"
    ];

    public static function drawn():BitmapData {
        final image = new BitmapData(SIZE, SIZE, false, 0);
        for (y in 0...SIZE) {
            for (x in 0...SIZE) image.setPixel32(x, y, color(ROWS[y].charAt(x)));
        }
        return image;
    }

    static function color(letter:String):Int {
        return switch (letter) {
            case "w": 0xffe8e8e8;
            case "g": 0xff30e060;
            case "m": 0xffe040d0;
            case "y": 0xfff0d020;
            case "r": 0xffff4030;
            case "b": 0xff4080ff;
            case "c": 0xff30d8e8;
            default: 0xff101830;
        }
    }
}
